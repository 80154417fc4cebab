import { existsSync } from 'node:fs';
import { isSea } from 'node:sea';

/** The command of an installed agent in every shell on Linux. */
export const commandPath = '/usr/local/bin/castellan-agent';

/** What a person types to run this program, in PowerShell or a shell. */
export const ownCommand = (): string => {
  if (!isSea()) return 'node agent.mjs';
  if (process.platform === 'win32') return `& "${process.execPath}"`;
  return existsSync(commandPath) ? 'castellan-agent' : `"${process.execPath}"`;
};
