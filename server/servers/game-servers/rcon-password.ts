import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { Secret } from '#runtime/secret.ts';
import { sealedColumn } from '../../kernel/secrets/sealed-column.ts';
import type { OpenedSecret, Secrets } from '../../kernel/secrets/secrets.ts';

export const rconPasswordColumn = sealedColumn({
  table: 'game_servers',
  key: ['id'],
  column: 'password',
  describe: ([id]) => `The console password of the game server ${id}`,
});

/** In its stored form: an empty password counts as none. */
export const sealPassword = (secrets: Secrets, serverId: string, password: Secret): string | null =>
  password.reveal() === '' ? null : secrets.seal(rconPasswordColumn, [serverId], password);

export const openPassword = (secrets: Secrets, serverId: string, sealed: string): OpenedSecret =>
  secrets.open(rconPasswordColumn, [serverId], sealed);

/** Why a stored password cannot be used, as text for people. */
export const unreadableInWords = ({
  fault,
  keyId,
}: Extract<OpenedSecret, { outcome: 'unreadable' }>): string =>
  fault === 'damaged'
    ? consoleReasons['console-password-damaged']
    : consoleReasons['console-password-sealed'](keyId ?? '');
