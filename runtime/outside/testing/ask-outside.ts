import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemEnv } from '../../system-env.ts';

export interface Asked {
  readonly url: string;
  /** HTTPS_PROXY of the settings. */
  readonly proxy?: string;
  /** HTTPS_PROXY of the machine's environment. */
  readonly machineProxy?: string;
}

export interface Question {
  readonly trustedCaFile?: string;
  readonly asked: readonly Asked[];
}

const run = promisify(execFile);

/** Asks addresses in a process of its own, since a process reads what it trusts once. @returns an answer or a failure for each */
export const askOutside = async (
  question: Question,
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> => {
  const program = new URL('ask-outside.program.ts', import.meta.url).pathname;
  const { stdout } = await run(process.execPath, [program, JSON.stringify(question)], {
    env: { ...systemEnv(), ...env },
    timeout: 50_000,
  });
  return JSON.parse(stdout);
};
