/** One answer of Windows by its number, which is the same in every language of Windows. */
export interface WindowsCode {
  readonly code: number;
  /** As Windows's own headers call it; of a tool that answers with numbers of its own, what the number means. */
  readonly name: string;
  /** Only where this program answers; without it, wherever the number appears. */
  readonly tool?: string;
  /** What happened, and what to do. */
  readonly en: string;
  readonly pt: string;
  /** Where the number is explained; then, where people met it. */
  readonly source: string;
}
