/** `meaning` and `remedy` are the public documentation; the `detail` of a single occurrence is for people. */
export interface ProblemEntry {
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}
