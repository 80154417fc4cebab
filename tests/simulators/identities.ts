import { createHash } from 'node:crypto';

const digest = (algorithm: 'md5' | 'sha256', text: string) => createHash(algorithm).update(text).digest();

/** The UUID (version 3) that a Minecraft server without online mode gives to a name. */
export const offlineUuid = (name: string): string => {
  const bytes = digest('md5', `OfflinePlayer:${name}`);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x30, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** SteamID64 of an individual account: this base plus its number, of which Steam has issued about a billion. */
const steamBase = 76_561_197_960_265_728n;

export const steamId = (name: string): string =>
  String(steamBase + BigInt(digest('sha256', name).readUInt32LE(0) >>> 2));

export const eosId = (name: string): string =>
  `0002${digest('sha256', `eos ${name}`).toString('hex').slice(0, 28)}`;
