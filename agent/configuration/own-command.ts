import { existsSync } from 'node:fs';
import { isSea } from 'node:sea';

/** By which an installed agent is called in every shell of Linux. */
export const commandPath = '/usr/local/bin/castellan-agent';

/** What a person types for this program, in PowerShell or a shell. */
export const ownCommand = (): string => {
  if (!isSea()) return 'node agent.mjs';
  if (process.platform === 'win32') return `& "${process.execPath}"`;
  return existsSync(commandPath) ? 'castellan-agent' : `"${process.execPath}"`;
};
