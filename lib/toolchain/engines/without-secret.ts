/** The text with a mark where the secret was. */
export function withoutSecret(text: string, secret: string | undefined): string {
  return secret === undefined ? text : text.replaceAll(secret, "(hidden)");
}
