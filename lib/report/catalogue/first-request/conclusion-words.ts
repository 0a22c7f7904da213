import type { Conclusion } from "./findings.ts";

/** What a conclusion says of the sizes that it was drawn at, after `At 128, 512 MB `. */
export const conclusionWords: Readonly<
  Record<Conclusion, { readonly claim: string; readonly because: string }>
> = {
  entropy: {
    claim:
      "most of the first request goes to one-time crypto initialisation, and not to the TLS handshake as such.",
    because:
      "Most of the first handshake's time is absent from the second one in the same process, and a build that does not gather CPU-jitter entropy does without most of the first request's time.",
  },
  provider: {
    claim:
      "most of the first request goes to one-time initialisation of the crypto library, and not to the TLS handshake as such.",
    because:
      "Most of the first handshake's time is absent from the second one in the same process, and on another crypto library most of the first request's time is gone. That it is the gathering of entropy was not shown.",
  },
  "entropy-alone": {
    claim:
      "the builds alone point to one-time crypto initialisation as what most of the first request goes to.",
    because:
      "Without CPU-jitter entropy most of the first request's time is gone; whether the handshake as such has a part in it was not decided by its first and second time.",
  },
  "provider-alone": {
    claim:
      "the builds alone point to the crypto library as what most of the first request goes to.",
    because:
      "On another crypto library most of the first request's time is gone; whether that is done once or with every handshake was not decided by its first and second time.",
  },
  contradiction: {
    claim: "the evidence contradicts itself, and no conclusion is drawn.",
    because:
      "Another build does without most of the first request's time, and yet the second handshake in the same process takes more than half as long as the first.",
  },
  elsewhere: {
    claim: "most of the first request is not in the TLS handshake at all.",
    because:
      "The first handshake of a process takes less than half as long as the whole first request without any change.",
  },
  "one-time-other": {
    claim:
      "the first handshake is mostly one-time work, and not the TLS handshake as such; that it is the crypto library's was not shown.",
    because:
      "Most of the first handshake's time is absent from the second one in the same process, and yet no change of crypto that was run makes the first request faster.",
  },
  "one-time": {
    claim:
      "the first handshake is mostly one-time work, and not the TLS handshake as such; whether it is the crypto library's was not decided.",
    because:
      "Most of the first handshake's time is absent from the second one in the same process; that a change of crypto removes more than half of the first request was not shown.",
  },
  handshake: {
    claim: "the first handshake is mostly the TLS handshake itself, and not work done once.",
    because:
      "The second handshake in the same process takes more than half as long as the first, so that most of it comes with every new connection.",
  },
  undecided: {
    claim: "it is undecided between the TLS handshake and one-time crypto initialisation.",
    because: "The intervals do not carry a conclusion, or too few environments were measured.",
  },
};
