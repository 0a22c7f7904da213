import type { Conclusion } from "./findings.ts";

/** What a conclusion says of the sizes that it was drawn at, after `At 128, 512 MB: `. */
export const conclusionWords: Readonly<
  Record<Conclusion, { readonly claim: string; readonly because: string }>
> = {
  entropy: {
    claim: "one-time crypto initialisation, and not the TLS handshake as such.",
    because:
      "Most of the first handshake's time is absent from the second one in the same process, and a build that does not gather CPU-jitter entropy does without most of the first request's time.",
  },
  provider: {
    claim: "one-time initialisation of the crypto library, and not the TLS handshake as such.",
    because:
      "Most of the first handshake's time is absent from the second one in the same process, and on another crypto library most of the first request's time is gone. That it is the gathering of entropy was not shown.",
  },
  "entropy-alone": {
    claim: "this points to one-time crypto initialisation, by the builds alone.",
    because:
      "Without CPU-jitter entropy most of the first request's time is gone; whether the handshake as such has a part in it was not decided by its first and second time.",
  },
  "provider-alone": {
    claim: "this points to the crypto library, by the builds alone.",
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
    because: "The first handshake takes less than half of the first Duration.",
  },
  "one-time-other": {
    claim:
      "one-time work, and not the TLS handshake as such; but not shown to be the crypto library's.",
    because:
      "Most of the first handshake's time is absent from the second one in the same process, and yet no change of crypto that was run makes the first request faster.",
  },
  "one-time": {
    claim:
      "one-time work, and not the TLS handshake as such; how much of it is crypto's is undecided.",
    because:
      "Most of the first handshake's time is absent from the second one in the same process; that a change of crypto removes most of the first request was not shown.",
  },
  handshake: {
    claim: "the TLS handshake itself, and not work done once.",
    because:
      "The second handshake in the same process takes more than half as long as the first, so that most of it comes with every new connection.",
  },
  undecided: {
    claim: "undecided between the TLS handshake and one-time crypto initialisation.",
    because: "The intervals do not carry a conclusion, or too few environments were measured.",
  },
};
