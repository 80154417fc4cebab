import { Command } from 'commander';
import { keyFingerprint } from '#runtime/license/succession/public-key.ts';
import type { SigningKeyRow } from '../database/rows.ts';
import type { ResealProgress } from '../master-key/reseal.ts';
import type { Rotation } from '../signing-keys/signing-keys.ts';
import { commandLine } from '../vendor/actor-names.ts';
import { CommandError, exitCodes, type Said } from './outcome.ts';
import type { RunCommand } from './run-command.ts';

interface JsonOption {
  readonly json?: boolean;
}

const kidArgument = ['<kid>', 'key id, as `key list` prints it; after -- where it begins with -'] as const;

export const keyCommand = (run: RunCommand): Command => {
  const command = new Command('key').description('Signing keys, and the master key that encrypts them');
  command
    .command('show')
    .description("Print the active public key, a build's LICENSE_SERVER_PUBLIC_KEY")
    .option(
      '--fingerprint',
      'print its fingerprint instead, which people compare when they connect to the portal',
    )
    .option('--json', 'print JSON')
    .action((options: JsonOption & { fingerprint?: boolean }) =>
      run(options, async ({ keyRing }) => {
        const { kid, publicKey } = keyRing.active;
        const fingerprint = keyFingerprint(kid);
        return {
          text: `${options.fingerprint ? fingerprint : publicKey}\n`,
          json: { kid, publicKey, fingerprint },
        };
      }),
    );

  command
    .command('list')
    .description('List the signing keys in the order of their succession')
    .option('--json', 'print JSON')
    .action((options: JsonOption) =>
      run(options, async ({ signingKeys }) => {
        const keys = await signingKeys.list();
        return { text: keys.map(formatKey).join(''), json: keys.map(describeKey) };
      }),
    );

  command
    .command('rotate')
    .description('Let the next key sign, and make another one to follow it')
    .option('--now', 'do not wait until the next key has been published long enough')
    .option('--json', 'print JSON')
    .action((options: JsonOption & { now?: boolean }) =>
      run(options, async ({ signingKeys, keyRing, vendorArea }) => {
        const wish = { activeKid: keyRing.active.kid, urgent: options.now ?? false };
        const rotation = await signingKeys.rotate(wish);
        if (rotation.outcome === 'rotated')
          await vendorArea.record({ kind: 'keys_rotated', by: commandLine, subject: rotation.activeKid });
        return saidOfRotation(rotation);
      }),
    );

  command
    .command('retire')
    .description('Destroy the private half of a key that was replaced; its tokens still prove identity')
    .argument(...kidArgument)
    .option('--json', 'print JSON')
    .action((kid: string, options: JsonOption) =>
      run(options, async ({ signingKeys, vendorArea }) => {
        const retirement = await signingKeys.retire(kid);
        if (retirement.outcome === 'refused') throw new CommandError(retirement.reason, exitCodes.failed);
        await vendorArea.record({ kind: 'key_retired', by: commandLine, subject: kid });
        return { text: `Key ${kid} is retired; its private half is destroyed.\n`, json: retirement };
      }),
    );

  command
    .command('revoke')
    .alias('strike')
    .description(
      'Revoke stolen keys, immediately and permanently. Installations that trust one of them alone need a ' +
        'new build, or LICENSE_SERVER_PUBLIC_KEY in .env',
    )
    .argument('<kid...>', 'key ids, as `key list` prints them; after -- where one begins with -')
    .option('--json', 'print JSON')
    .action((kids: string[], options: JsonOption) =>
      run(options, async ({ signingKeys, vendorArea }) => {
        const revocation = await signingKeys.revoke(kids);
        if (revocation.outcome === 'refused') throw new CommandError(revocation.reason, exitCodes.failed);
        for (const kid of kids)
          await vendorArea.record({ kind: 'keys_struck', by: commandLine, subject: kid });
        const { number, activeKid } = revocation;
        return {
          text: `Revocation ${number}: tokens signed by ${kids.join(', ')} are no longer valid. Key ${activeKid} signs now.\n`,
          json: revocation,
        };
      }),
    );

  command
    .command('rotate-master')
    .description(
      'Re-encrypt all secrets with PORTAL_MASTER_KEY; PORTAL_MASTER_KEY_PREVIOUS opens what older keys encrypted',
    )
    .option('--json', 'print JSON')
    .action((options: JsonOption) =>
      run(options, async ({ reseal }) => {
        const resealed = await reseal(options.json ? undefined : tellProgress);
        const { keyId, done, unreadable } = resealed;
        if (unreadable.length > 0) {
          const named = unreadable.slice(0, 10).map(({ table, key }) => `${table} ${key}`);
          throw new CommandError(
            `Re-encrypted ${done} secrets, but none of the master keys decrypts ${unreadable.length}: ` +
              `${named.join(', ')}. Put the key that they need into PORTAL_MASTER_KEY_PREVIOUS.`,
            exitCodes.failed,
          );
        }
        return {
          text:
            `Re-encrypted ${done} secrets; all are now encrypted with the key ${keyId}. ` +
            'Once no portal process has another PORTAL_MASTER_KEY, PORTAL_MASTER_KEY_PREVIOUS can be removed.\n',
          json: resealed,
        };
      }),
    );
  return command;
};

const tellProgress = ({ table, done, total }: ResealProgress): void => {
  process.stderr.write(`${table}: ${done} of ${total}\n`);
};

const describeKey = (key: SigningKeyRow) => ({
  kid: key.kid,
  sequence: key.sequence,
  state: key.state,
  publicKey: key.public_key,
  struckAt: key.struck_at?.toISOString() ?? null,
  createdAt: key.created_at.toISOString(),
  activatedAt: key.activated_at?.toISOString() ?? null,
});

const formatKey = (key: SigningKeyRow): string => {
  const state = key.struck_at === null ? key.state : 'revoked';
  return `${String(key.sequence).padStart(3)}  ${state.padEnd(8)}  ${key.kid}  ${key.created_at.toISOString()}\n`;
};

const saidOfRotation = (rotation: Rotation): Said => {
  if (rotation.outcome === 'rotated')
    return {
      text: `Key ${rotation.activeKid} signs now; ${rotation.retiringKid} still verifies; ${rotation.nextKid} is next.\n`,
      json: rotation,
    };
  if (rotation.outcome === 'prepared')
    return {
      text:
        `There was no next key. ${rotation.nextKid} is published now and may sign from ` +
        `${rotation.readyAt.toISOString()} on; rotate again then.\n`,
      json: rotation,
    };
  if (rotation.outcome === 'rotated-meanwhile')
    throw new CommandError(
      `The keys were rotated a moment ago; ${rotation.activeKid} signs now.`,
      exitCodes.failed,
    );
  throw new CommandError(
    `The next key is not published for long enough; rotate from ${rotation.readyAt.toISOString()} on, or with --now.`,
    exitCodes.failed,
  );
};
