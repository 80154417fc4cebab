import { isSea } from 'node:sea';
import { parseArgs } from 'node:util';
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

export const helpText = `Castellan Game Agent: runs beside a game server and connects it to Castellan.

Usage: ${program} [options]
       ${program} <action> [options]

${actionsHelp()}Without an action it runs one game server, from one configuration file:

  --config <file>  its configuration (default: config.json in this folder)
  --check          try the configuration, the API and the game once, and say what works
  --version        print the version
  --help           print this

${isSea() ? '' : 'It needs Node 24 or newer. '}Secrets stand in the configuration file alone, never in arguments or the environment.
Another certificate authority is trusted by NODE_EXTRA_CA_CERTS=<file.pem> in the environment.

Exit codes
   0  stopped when asked to; with --check: all works
   1  failed; the last line says why
   2  the arguments are not understood
   3  --check: something does not work
  69  it is running already with this state folder
  78  the configuration is not right, or Node is too old
`;

/** What the arguments ask for, or why they are not understood. */
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
    // What the parser says would repeat the arguments, and somebody may have put a secret there.
    return { fault: 'These arguments are not understood. See --help.' };
  }
};

const oldestNode = 24;

/** Null for a Node that will do. */
export const nodeObstacle = (version: string): string | null =>
  Number.parseInt(version, 10) >= oldestNode
    ? null
    : `The Game Agent needs Node ${oldestNode} or newer; this is Node ${version}. Install a newer one from nodejs.org.`;
