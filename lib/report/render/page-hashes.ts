// Made by `npm run generate` from the page's style and script, for its policy. Do not edit.
export const styleHash = "sha256-G7T31Q5NsroFYJSbw2/gh+fZvH3FZWjWi+6LY5t1YDw=";
export const scriptHash = "sha256-4W+B021owz7JMTO0hfW2M3e3828gc2sp47X7EZR9Ueg=";
