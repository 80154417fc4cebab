export interface ProblemTexts {
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** `meaning` and `remedy` are the public documentation; the `detail` of a single occurrence is for people. */
export interface ProblemEntry extends ProblemTexts {
  readonly status: number;
}
