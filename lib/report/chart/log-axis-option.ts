import { type LogAxis, tickText } from "./log-axis.ts";
import { colours } from "./palette.ts";
import { textSize } from "./svg-chart.ts";

/** A logarithmic axis of the library with our own ticks. */
export function logAxisOption(name: string, { min, max, ticks }: LogAxis, side: "x" | "y" = "x") {
  return {
    type: "log",
    min,
    max,
    name,
    nameLocation: "middle",
    nameGap: side === "y" ? 44 : 30,
    nameTextStyle: { color: colours.muted, fontSize: textSize },
    axisLine: { show: true, lineStyle: { color: colours.muted } },
    axisTick: { show: true, customValues: ticks, lineStyle: { color: colours.muted } },
    axisLabel: {
      customValues: ticks,
      color: colours.muted,
      fontSize: textSize,
      formatter: tickText,
    },
    splitLine: { show: true, lineStyle: { color: colours.grid } },
    minorTick: { show: false },
    minorSplitLine: { show: false },
  };
}
