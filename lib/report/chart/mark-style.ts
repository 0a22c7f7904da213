import { colours } from "./palette.ts";

/** A mark in a variant's colour: filled, or hollow. */
export function markStyle(colour: string, isFilled: boolean) {
  return {
    color: isFilled ? colour : colours.page,
    borderColor: colour,
    borderWidth: 1.6,
    opacity: 1,
  };
}
