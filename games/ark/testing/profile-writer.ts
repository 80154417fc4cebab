/** Writes profiles according to the public descriptions named in arkprofile.ts. */
export interface WrittenProfile {
  /** 1: Evolved. 5, 6: Ascended until 2024. 7: Ascended on Unreal 5.5. */
  readonly version: 1 | 5 | 6 | 7;
  readonly account: string;
  readonly number: bigint;
  readonly playerName?: string;
  /** Replaces `account` in the properties. */
  readonly writtenAccount?: string;
  readonly tribe?: number;
}

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};
/** Non-ASCII text: UTF-16 with a negative length. */
const text = (value: string): Buffer =>
  /^[\0-\x7f]*$/.test(value)
    ? Buffer.concat([int(value.length + 1), Buffer.from(`${value}\0`, 'latin1')])
    : Buffer.concat([int(-(value.length + 1)), Buffer.from(`${value}\0`, 'utf16le')]);
const long = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const byte = (value: number): Buffer => Buffer.from([value]);

export const writeProfile = (profile: WrittenProfile): Buffer => {
  const { version, number, playerName = 'Player', writtenAccount = profile.account, tribe = 0 } = profile;
  const isNew = version === 7;
  const property = (name: string, type: string, value: Buffer, inner: readonly string[] = []): Buffer => {
    const head = [text(name), text(type)];
    if (isNew) {
      const types = inner.flatMap((one) => [text(one), int(0)]);
      return Buffer.concat([...head, int(inner.length), ...types, int(value.length), byte(0), value]);
    }
    const kinds = inner.map(text);
    const guard = version === 1 ? [] : [byte(0), ...(type === 'StructProperty' ? [Buffer.alloc(16)] : [])];
    return Buffer.concat([...head, int(value.length), int(0), ...kinds, ...guard, value]);
  };
  const id =
    version === 1
      ? Buffer.concat([int(8), text(writtenAccount)])
      : Buffer.concat([byte(0), text('RedpointEOS'), byte(16), Buffer.from(writtenAccount, 'hex')]);
  const data = Buffer.concat([
    property('PlayerDataID', 'UInt64Property', long(number)),
    property('UniqueID', 'StructProperty', id, ['UniqueNetIdRepl']),
    property('PlayerName', 'StrProperty', text(playerName)),
    ...(tribe > 0 ? [property('TribeID', 'IntProperty', int(tribe))] : []),
    text('None'),
  ]);
  const properties = Buffer.concat([
    property('SavedPlayerDataVersion', 'IntProperty', int(1)),
    property('MyData', 'StructProperty', data, ['PrimalPlayerDataStruct']),
    text('None'),
    int(0),
  ]);
  const className = '/Game/PrimalEarth/CoreBlueprints/PrimalPlayerDataBP.PrimalPlayerDataBP_C';
  const names = [
    'PrimalPlayerDataBP_C_0',
    'ArkGameMode',
    'PersistentLevel',
    'TheIsland',
    '/Game/Maps/TheIsland',
  ];
  const header = (offset: number) =>
    Buffer.concat([
      int(version),
      ...(isNew ? [int(522), int(1013)] : []),
      int(1),
      Buffer.alloc(16, version === 1 ? 0 : 7),
      text(version === 1 ? 'PrimalPlayerDataBP_C' : className),
      int(0),
      int(names.length),
      ...names.map(text),
      Buffer.alloc(12),
      int(offset),
      int(0),
      ...(isNew ? [byte(0)] : []),
    ]);
  return Buffer.concat([header(header(0).length - (isNew ? 1 : 0)), properties]);
};

/** The `GameModeCustomBytes` of a world: tribes, then profiles with their index. */
export const writeStore = (profiles: readonly Buffer[]): Buffer => {
  const tribe = Buffer.concat([int(7), text('/Script/ShooterGame.PrimalTribeData'), text('None')]);
  const index = profiles.map((profile, place) => {
    const offset = profiles.slice(0, place).reduce((sum, one) => sum + one.length, 0);
    return Buffer.concat([long(BigInt(place + 1)), int(offset), int(profile.length)]);
  });
  const blobs = Buffer.concat(profiles);
  return Buffer.concat([
    ...[int(1), int(tribe.length), int(1), tribe],
    ...[int(77), int(1), int(0), int(tribe.length)],
    ...[int(blobs.length + 4), int(profiles.length), blobs],
    ...[int(0), ...index],
  ]);
};
