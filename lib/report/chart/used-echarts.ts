import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts.js";
import { GridComponent } from "echarts/components.js";
import { init, use } from "echarts/core.js";
import { LabelLayout } from "echarts/features.js";
import { SVGRenderer } from "echarts/renderers.js";

/**
 * The parts of ECharts that reports use; bundles import them as `#echarts`. When run from source, `#echarts` is the
 * library's full build, a single file: these parts are 588 modules and take longer to load than a report takes.
 */
use([BarChart, CustomChart, LineChart, ScatterChart, GridComponent, LabelLayout, SVGRenderer]);

export { init };
