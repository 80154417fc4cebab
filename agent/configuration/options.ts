import { isSea } from 'node:sea';
import { parseArgs } from 'node:util';
import { oldestNode } from '#runtime/oldest-node.ts';
import { actions } from '../actions/actions.ts';

export interface Options {
  readonly action: 'run' | 'check' | 'help' | 'version';
  readonly configPath: string;
}

const program = isSea() ? 'castellan-agent' : 'node agent.mjs';

const actionsHelp = (): string => {
  const shown = Object.entries(actions).filter(([, { isInternal }]) => !isInternal);
  const lines = shown.map(
    ([name, { usage, summary }]) => `  ${`${name} ${usage}`.trim()}\n      ${summary}\n`,
  );
  return lines.length === 0 ? '' : `Actions\n${lines.join('')}\n`;
};

export const helpText = `The Castellan Game Agent runs beside a game server and connects it to Castellan.

Usage: ${program} [options]
       ${program} <action> [options]

${actionsHelp()}Without an action, it connects one game server with one configuration file:

  --config <file>  the configuration (default: config.json in this folder)
  --check          test the configuration, the API and the game once and print what works
  --version        print the version
  --help           print this

${isSea() ? '' : `It needs Node ${oldestNode} or newer. `}Secrets belong in the configuration file, never in arguments or the environment.
Certificate authorities of the system are trusted; another one stands in "outside" of the configuration, like a proxy.

Exit codes
   0  stopped when asked; with --check: everything works
   1  failed; the last line says why
   2  wrong arguments
   3  --check: something does not work
  69  an agent is already running with this state folder
  78  the configuration is wrong, or Node is too old
`;

/** The options in the arguments, or why they are invalid. */
export const readOptions = (args: readonly string[]): Options | { readonly fault: string } => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        config: { type: 'string', default: 'config.json' },
        check: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
    const action = values.help ? 'help' : values.version ? 'version' : values.check ? 'check' : 'run';
    return { action, configPath: values.config };
  } catch {
    // The parser's message would repeat the arguments, and someone may have put a secret there.
    return { fault: 'These arguments are wrong. See --help.' };
  }
};
