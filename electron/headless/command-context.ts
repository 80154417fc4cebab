import type { Terminal } from './terminal.ts';

/** What every command is given. */
export interface CommandContext {
  readonly home: string;
  /** The folder that holds the programs. */
  readonly programsFolder: string;
  /** The environment of this process. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

export interface JsonOption {
  readonly json?: boolean;
}
