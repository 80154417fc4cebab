import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '#runtime/env.ts';
import { setUpOutside } from '#runtime/outside/outside.ts';
import { printable, printableLines } from '#runtime/printable.ts';
import { StartupError } from '#runtime/program.ts';
import { version } from '#runtime/version.ts';
import { actions } from './actions/actions.ts';
import { checkAgent } from './check.ts';
import { asOwnerOf } from './configuration/as-owner.ts';
import { type AgentConfig, readAgentConfig } from './configuration/config.ts';
import { exitCodes } from './configuration/exit-codes.ts';
import { helpText, type Options, readOptions } from './configuration/options.ts';
import { runAgent } from './run-agent.ts';

const say = (text: string) => process.stdout.write(text);
const complain = (text: string) => process.stderr.write(`${printableLines(text)}\n`);

const readConfig = async (path: string): Promise<AgentConfig | { readonly fault: string }> => {
  try {
    return await readAgentConfig(path);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StartupError) return { fault: error.message };
    throw error;
  }
};

const check = async (config: AgentConfig, path: string): Promise<number> => {
  // What it makes, such as a missing key, must be the owner's.
  const things = await asOwnerOf(dirname(path), () => checkAgent(config, path));
  for (const { works, text } of things) say(`${works ? 'ok   ' : 'FAULT'} ${printable(text)}\n`);
  return things.every(({ works }) => works) ? 0 : exitCodes.checkFailed;
};

const main = async ({ action, configPath }: Options): Promise<number> => {
  if (action === 'help') say(helpText);
  if (action === 'version') say(`${version}\n`);
  if (action === 'help' || action === 'version') return 0;
  const path = resolve(configPath);
  const config = await readConfig(path);
  if ('fault' in config) {
    complain(config.fault);
    return exitCodes.config;
  }
  if (action === 'check') {
    setUpOutside(config.outside);
    return check(config, path);
  }
  await runAgent(config, path);
  return 0;
};

/** How many threads may wait for network drives that are gone before the agent itself waits; Node's default is 4. */
const fileThreads = '16';

/** Processes that the agent starts must not inherit it. */
const widenFileThreads = async () => {
  const given = process.env.UV_THREADPOOL_SIZE;
  if (given !== undefined) return;
  process.env.UV_THREADPOOL_SIZE = fileThreads;
  // Read when the first thread is needed.
  await stat('.').catch(() => null);
  delete process.env.UV_THREADPOOL_SIZE;
};

/** Without top-level `await`: a single executable supports only CommonJS. */
const start = async (): Promise<number> => {
  await widenFileThreads();
  const [name, ...args] = process.argv.slice(2);
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action) return action.run(args, { environment: process.env, say, complain });
  const options = readOptions(process.argv.slice(2));
  if ('fault' in options) {
    complain(options.fault);
    return exitCodes.usage;
  }
  return main(options);
};

void start().then((code) => {
  process.exitCode = code;
});
