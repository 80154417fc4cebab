import { text } from 'node:stream/consumers';
import type { LicenseStatus } from '#contracts/license-state.ts';
import { makeHome } from '#runtime/home.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import { createLog } from '#runtime/log.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { readLicenseServer } from '../first-start/license-server.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import { readInstallation } from './installation.ts';
import type { JsonOption } from './status.ts';
import type { Terminal } from './terminal.ts';

/**
 * `castellan license activate KEY`; works before the first start, and beside a running stack, which sees it at once.
 * @param given read from stdin when absent, for whoever does not want the key among the process arguments
 */
export const activateLicense = async (
  context: CommandContext,
  given: string | undefined,
  option: JsonOption,
): Promise<void> => {
  const { home, programsFolder, terminal } = context;
  const key = given ?? (await text(process.stdin)).trim();
  if (key === '')
    throw new CommandFailure('Give the license key, as an argument or on stdin.', exitCodes.usage);
  await makeHome(home);
  await ensureEnv(home, await readLicenseServer(programsFolder));
  await using client = await openClient(home);
  const activation = await client.activate(key);
  if (activation.outcome !== 'activated') throw new CommandFailure(activation.detail);
  tell(client.status(), terminal, option);
};

/** `castellan license check`: asks the portal now; a running stack sees what came of it. */
export const checkLicense = async ({ home, terminal }: CommandContext, option: JsonOption): Promise<void> => {
  await using client = await openClient(home);
  await client.checkNow();
  const status = client.status();
  tell(status, terminal, option);
  if (status.notSaved !== undefined)
    throw new CommandFailure(`The portal's answer could not be saved: ${status.notSaved}`);
};

/** `castellan license status`: what license.json says, without asking the portal. */
export const licenseStatus = async (
  { home, terminal }: CommandContext,
  option: JsonOption,
): Promise<void> => {
  await using client = await openClient(home);
  tell(client.status(), terminal, option);
};

const openClient = async (home: string): Promise<LicenseClient> =>
  openLicenseFromConfig(await readInstallation(home), {
    home,
    // The command says itself what came of it.
    log: createLog({ component: 'castellan', level: 'silent' }),
    scheduled: false,
  });

const tell = (status: LicenseStatus, terminal: Terminal, { json }: JsonOption) => {
  terminal.say(json ? JSON.stringify(status, null, 2) : describeLicense(status));
};

const describeLicense = (status: LicenseStatus): string => {
  const facts: readonly (readonly [string, string | null])[] = [
    ['code', status.code],
    ['license', status.licenseId],
    ['tier', status.tier],
    ['features', status.features.join(', ') || null],
    ['expires', status.expiresAt],
    ['grace ends', status.graceEndsAt],
    ['HWID', status.hwid],
  ];
  return [
    `The license is ${status.state}: ${status.detail}`,
    ...facts.filter(([, value]) => value !== null).map(([name, value]) => `  ${name.padEnd(10)}  ${value}`),
  ].join('\n');
};
