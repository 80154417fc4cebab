export interface ActionContext {
  readonly environment: NodeJS.ProcessEnv;
  /** Writes to standard output. */
  say(text: string): void;
  /** Writes a line that says what to do to standard error. */
  complain(text: string): void;
}

/** Implements `castellan-agent <name> …`. Secrets come from a file, standard input or the environment, never as arguments. */
export interface Action {
  /** The arguments after the name, such as `[--home <folder>]`. */
  readonly usage: string;
  readonly summary: string;
  /** Not listed in the help: another action starts it. */
  readonly isInternal?: true;
  /** @returns the exit code */
  run(args: readonly string[], context: ActionContext): Promise<number>;
}
