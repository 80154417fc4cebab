/** A person ended the questions, by Ctrl-C or by closing the terminal. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** The questions of a set-up. Without a terminal every answer is the default. */
export interface Questions {
  /** False: no one answers, and questions without a default stay open. */
  readonly isAsked: boolean;
  say(text: string): void;
  /** @returns the index of the chosen one */
  choose(question: string, options: readonly string[], usual: number): Promise<number>;
  confirm(question: string, usual: boolean): Promise<boolean>;
  /** @param faultOf why a text is not valid, in words; null when it is */
  text(question: string, usual: string, faultOf: (text: string) => string | null): Promise<string>;
  /** Typed without being shown. */
  secret(question: string): Promise<string>;
}

export const usualAnswers = (say: (text: string) => void): Questions => ({
  isAsked: false,
  say,
  choose: async (_question, _options, usual) => usual,
  confirm: async (_question, usual) => usual,
  text: async (_question, usual) => usual,
  secret: async () => '',
});
