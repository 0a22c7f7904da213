import type { ReportDocument } from "../document/document.ts";
import { escapeHtml } from "./escape-html.ts";

export function renderHtml(document: ReportDocument): string {
  return `<!doctype html><title>${escapeHtml(document.title)}</title>\n`;
}
