// Made by `npm run generate` from the page's style and script, for its policy. Do not edit.
export const styleHash = "sha256-jiJUmUNInRXwSfufslEoFKRXg+K7LmkT9m0S3w4nOsI=";
export const scriptHash = "sha256-4W+B021owz7JMTO0hfW2M3e3828gc2sp47X7EZR9Ueg=";
