/** Parts of a variable's name that say that its value is a secret. */
const secretWords = new Set(
  "key keys token tokens secret secrets password passwd passphrase pwd pass credential credentials creds dsn auth private cert pem salt cookie jwt webhook signature".split(
    " ",
  ),
);

/** The same where words are written together: dbpassword, APITOKEN. */
const secretPart =
  /apikey|accesskey|privatekey|password|passwd|secret|token|credential|connectionstring/i;

/** What secrets look like, whatever they are called. */
const secretForms: readonly RegExp[] = [
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\beyJ[\w-]{10,}\.[\w-]+\.[\w-]*/,
  /\b(?:gh[opsru]_|github_pat_|glpat-|xox[abprs]-|sk_live_|sk-)[\w-]{10,}/,
  // An address with a user's password in it.
  /:\/\/[^/\s:@]*:[^/\s@]+@/,
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
];

/** What a reader may see of any name: where a secret lies is none. */
const harmless = /^(?:arn:aws[\w-]*:\S+|true|false|)$/i;

const longestWord = 20;
const fewestDigits = 3;
/** Bits a character: English has about 4 at this length, but hardly digits. */
const leastEntropy = 3;

/** Whether an environment variable may be a secret: rather one too many than one too few. */
export function looksSecret(name: string, value: string): boolean {
  if (secretForms.some((form) => form.test(value))) return true;
  if (harmless.test(value)) return false;
  return isSecretName(name) || value.split(/[^A-Za-z0-9+=]/).some(looksRandom);
}

function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => secretWords.has(word)) || secretPart.test(name);
}

/** Long, with digits and letters in no order: names that CloudFormation makes are of shorter parts. */
function looksRandom(word: string): boolean {
  const digits = word.replaceAll(/\D/g, "").length;
  const letters = word.replaceAll(/[^A-Za-z]/g, "").length;
  if (word.length < longestWord || digits < fewestDigits || letters === 0) return false;
  return entropyBits(word) >= leastEntropy;
}

/** Shannon's, bits a character. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, n) => {
    const share = n / text.length;
    return bits - share * Math.log2(share);
  }, 0);
}
