/** A person ended the questions, by Ctrl-C or by closing the terminal. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** What a set-up asks. Without a terminal every answer is the default. */
export interface Questions {
  /** False: nobody answers, and what has no default is left open. */
  readonly isAsked: boolean;
  say(text: string): void;
  /** @returns the index of the chosen one */
  choose(question: string, options: readonly string[], usual: number): Promise<number>;
  confirm(question: string, usual: boolean): Promise<boolean>;
  /** @param faultOf in words, for what cannot be meant; null for what can */
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
