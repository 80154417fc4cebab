import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readProfile, readStoredProfile } from './arkprofile.ts';
import { type WrittenProfile, writeProfile, writeStore } from './testing/profile-writer.ts';

const steam = '76561198000000001';
const eos = '000211223344556677889900aabbccdd';
const accountOf = (version: number) => (version === 1 ? steam : eos);
const versions = [1, 5, 6, 7] as const;

// Guarantee: the number is read from profiles of every known version, whatever the player's name is.
test('every version', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...versions),
      fc.bigInt(1n, 0xff_ff_ff_ffn),
      fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('Ünï', '玩家', 'PlayerDataID', 'UniqueID')),
      fc.nat(2_000_000_000),
      (version, number, playerName, tribe) => {
        const account = accountOf(version);
        const profile: WrittenProfile = { version, account, number, playerName, tribe };
        expect(readProfile(writeProfile(profile), account)).toEqual({ number: String(number) });
        expect(readProfile(writeProfile(profile), account.toUpperCase())).toEqual({ number: String(number) });
      },
    ),
  );
});

// Guarantee: a profile of another player, an incomplete one, and a number that no survivor can have are refused with the reason.
test('what does not fit', () => {
  for (const version of versions) {
    const account = accountOf(version);
    const other = account.replace(/.$/, '5');
    const profile = { version, account, number: 123_456_789n };
    const refusal = (bytes: Buffer) => {
      const read = readProfile(bytes, account);
      return 'refused' in read ? read.refused : read.number;
    };
    expect(refusal(writeProfile({ ...profile, writtenAccount: other }))).toBe('it belongs to another player');
    expect(refusal(writeProfile({ ...profile, number: 0n }))).toContain('in a form that this version');
    expect(refusal(writeProfile({ ...profile, number: 0x1_00_00_00_00n }))).toContain(
      'in a form that this version',
    );
    const whole = writeProfile(profile);
    for (let length = 0; length < whole.length - 100; length += 7)
      expect(refusal(whole.subarray(0, length))).not.toMatch(/^(?!123456789$)\d+$/);
    const twice = Buffer.concat([whole, writeProfile({ ...profile, number: 5n })]);
    expect(refusal(twice)).toContain('two ways');
  }
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(64), Buffer.alloc(1000, 255)])
    expect(readProfile(bytes, steam)).toEqual({ refused: 'it is no profile, or only half of one' });
});

// Guarantee: hostile bytes, lengths and loops end in a refusal or the one true number, never in an error or another number.
test('hostile files', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
      expect(readProfile(Buffer.from(bytes), steam)).toHaveProperty('refused');
      expect(readStoredProfile(Buffer.from(bytes), eos)).toBeNull();
    }),
  );
  const place = fc.record({ at: fc.nat(2000), value: fc.constantFrom(0, 1, 8, 127, 128, 254, 255) });
  fc.assert(
    fc.property(
      fc.constantFrom(...versions),
      fc.array(place, { maxLength: 6 }),
      fc.nat(2000),
      (version, places, cut) => {
        const whole = writeProfile({ version, account: accountOf(version), number: 4_242_424_242n });
        const bytes = Buffer.from(whole.subarray(0, Math.max(40, whole.length - cut)));
        for (const { at, value } of places) bytes[at % bytes.length] = value;
        for (const read of [
          readProfile(bytes, accountOf(version)),
          readStoredProfile(bytes, accountOf(version)),
        ])
          if (read && 'number' in read) expect(BigInt(read.number)).toBeLessThanOrEqual(0xff_ff_ff_ffn);
      },
    ),
    { numRuns: 500 },
  );
});

// Guarantee: of the profiles inside a world, only that player's is read; two profiles of one player are refused.
test('profiles inside a world', () => {
  const others = Array.from({ length: 20 }, (_, index) =>
    writeProfile({
      version: 7,
      account: eos.replace(/^.{4}/, String(1000 + index)),
      number: BigInt(1000 + index),
    }),
  );
  const own = writeProfile({ version: 7, account: eos, number: 31_337n, playerName: 'Ёж', tribe: 9 });
  expect(readStoredProfile(writeStore([...others.slice(0, 10), own, ...others.slice(10)]), eos)).toEqual({
    number: '31337',
  });
  expect(readStoredProfile(writeStore(others), eos)).toBeNull();
  const second = writeProfile({ version: 7, account: eos, number: 31_338n });
  expect(readStoredProfile(writeStore([own, ...others, second]), eos)).toEqual({
    refused: 'it has several profiles of this player',
  });
});

// Guarantee: a player whose name is another player's id does not count as that player, and does not hide that player's profile.
test("another player's id as a name", () => {
  for (const version of versions) {
    const account = accountOf(version);
    const thief = account.replace(/.$/, '5');
    for (const playerName of [account, account.toUpperCase(), `\0${account}\0`, `x${account}x`]) {
      const stolen = writeProfile({ version, account: thief, number: 666n, playerName });
      expect(readProfile(stolen, account)).toEqual({ refused: 'it belongs to another player' });
      expect(readStoredProfile(writeStore([stolen]), account)).toBeNull();
      const own = writeProfile({ version, account, number: 31_337n });
      for (const profiles of [
        [own, stolen],
        [stolen, own],
      ])
        expect(readStoredProfile(writeStore(profiles), account)).toEqual({ number: '31337' });
    }
  }
});
