import type { Terminal } from './terminal.ts';

/** What every command is given. */
export interface CommandContext {
  readonly home: string;
  /** Where the programs lie beside each other. */
  readonly programsFolder: string;
  readonly terminal: Terminal;
}

export interface JsonOption {
  readonly json?: boolean;
}
