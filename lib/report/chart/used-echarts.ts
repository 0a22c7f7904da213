import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts.js";
import { GridComponent } from "echarts/components.js";
import { init, use } from "echarts/core.js";
import { SVGRenderer } from "echarts/renderers.js";

/**
 * The parts of the library that reports use: what bundles have as `#echarts`. Run from source, `#echarts` is the
 * library's own file of all parts: these are 588 modules, and loading so many takes longer than a report.
 */
use([BarChart, CustomChart, LineChart, ScatterChart, GridComponent, SVGRenderer]);

export { init };
