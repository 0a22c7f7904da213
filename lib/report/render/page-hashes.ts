// Made by `npm run generate` from the page's style and script, for its policy. Do not edit.
export const styleHash = "sha256-gqlwmYKJLqlc/3RmaqIozS9TTPpox2qytj6F4+sk2uM=";
export const scriptHash = "sha256-WXg+BwraaWR6Blt7i3YMUhN600KUdaDw3ZghdFogxJk=";
