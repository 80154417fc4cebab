export interface ActionContext {
  readonly environment: NodeJS.ProcessEnv;
  /** On standard output. */
  say(text: string): void;
  /** On standard error: a line that says what to do. */
  complain(text: string): void;
}

/** What `castellan-agent <name> …` does. Secrets come in by a file, standard input or the environment, never as arguments. */
export interface Action {
  /** Behind the name, such as `[--home <folder>]`. */
  readonly usage: string;
  readonly summary: string;
  /** Left out of the help: another action starts it. */
  readonly isInternal?: true;
  /** @returns the exit code */
  run(args: readonly string[], context: ActionContext): Promise<number>;
}
