/**
 * The survivor number in ARK's save of a player: the property `PlayerDataID`, beside `UniqueID`, which names the account.
 * Sources: DerekRies/arkpy (Survival Evolved, archive version 1), Kakoen/ark-sa-save-tools and vertyco/arkparser (Ascended,
 * versions 5 to 7), hallipr/AsaSavegameToolkit (profiles inside the world, which servers with `-usestore` have). The rest of a
 * profile is not read: properties are found by name and type, so that a version that adds others can still be read.
 */
export type SurvivorReading = { readonly number: string } | { readonly refused: string };

/** A profile of a player with every engram and note has some hundred kilobytes. */
export const largestProfileBytes = 8 * 1024 * 1024;
const newestVersion = 50;
const mostNumber = 0xff_ff_ff_ffn;
/** `UniqueID` holds an account's id, the name of its kind and a few numbers. */
const uniqueIdBytes = 300;

const fstring = (text: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32LE(text.length + 1);
  return Buffer.concat([length, Buffer.from(`${text}\0`, 'latin1')]);
};
const numberProperty = Buffer.concat([fstring('PlayerDataID'), fstring('UInt64Property')]);
const accountProperty = Buffer.concat([fstring('UniqueID'), fstring('StructProperty')]);
/** Ends the name of each property's type. */
const typeEnd = Buffer.from('Property\0', 'latin1');
const profileClass = Buffer.from('PrimalPlayerData', 'latin1');
const storedProfileClass = Buffer.from('PrimalPlayerDataBP_C\0', 'latin1');

/**
 * Reads an `.arkprofile` file.
 * @param account the id without its prefix: a SteamID64, or an EOS id in hexadecimal digits
 */
export const readProfile = (bytes: Buffer, account: string): SurvivorReading => {
  const version = bytes.length >= 8 ? bytes.readInt32LE(0) : 0;
  if (version < 1 || version > newestVersion || !bytes.includes(profileClass))
    return { refused: 'it is no profile, or only half of one' };
  return readPart(bytes, account);
};

/** Reads the profile of an account from the world's `GameModeCustomBytes`. Null when there is none. */
export const readStoredProfile = (bytes: Buffer, account: string): SurvivorReading | null => {
  const starts = placesOf(bytes, storedProfileClass);
  const own = starts
    .map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length))
    .filter((part) => placesOf(part, accountProperty).some((place) => namesAccount(part, place, account)));
  const [part] = own;
  if (!part) return null;
  return own.length > 1 ? { refused: 'it has several profiles of this player' } : readPart(part, account);
};

const readPart = (bytes: Buffer, account: string): SurvivorReading => {
  const accounts = placesOf(bytes, accountProperty);
  if (accounts.length === 0) return { refused: 'it does not say whose it is' };
  if (!accounts.every((place) => namesAccount(bytes, place, account)))
    return { refused: 'it belongs to another player' };
  const places = placesOf(bytes, numberProperty);
  if (places.length === 0) return { refused: 'it has no number' };
  const found = new Set(places.flatMap((place) => numbersAt(bytes, place + numberProperty.length)));
  const [number] = found;
  if (number === undefined)
    return { refused: 'its number is in a form that this version of Castellan does not know' };
  return found.size > 1 ? { refused: 'its number can be read in two ways' } : { number: String(number) };
};

/**
 * Reads size and index in the order of Evolved or of newer files, which have one byte more. Where that byte allows two readings,
 * the following bytes decide: another property, or the end of the list.
 */
const numbersAt = (bytes: Buffer, at: number): bigint[] => {
  if (at + 16 > bytes.length) return [];
  const words = [bytes.readInt32LE(at), bytes.readInt32LE(at + 4)];
  if (words[0] !== 8 && words[1] !== 8) return [];
  return [at + 8, at + 9].flatMap((start) => {
    if (start + 8 > bytes.length || !isPropertyName(bytes, start + 8)) return [];
    const value = bytes.readBigUInt64LE(start);
    return value > 0n && value <= mostNumber ? [value] : [];
  });
};

const isPropertyName = (bytes: Buffer, at: number): boolean => {
  if (at + 6 > bytes.length) return false;
  const length = bytes.readInt32LE(at);
  if (length < 2 || length > 200 || at + 4 + length > bytes.length) return false;
  return /^[A-Za-z_]\w*\0$/.test(bytes.toString('latin1', at + 4, at + 4 + length));
};

/**
 * As text, or as the sixteen bytes of an EOS id. A player's name may be another player's id: text from players comes after the
 * type of a later property, so nothing is read from that point on.
 */
const namesAccount = (bytes: Buffer, place: number, account: string): boolean => {
  const begin = place + accountProperty.length;
  const following = bytes.subarray(begin, begin + uniqueIdBytes);
  const end = following.indexOf(typeEnd);
  const value = end === -1 ? following : following.subarray(0, end);
  if (value.toString('latin1').toLowerCase().includes(fstring(account).toString('latin1').toLowerCase()))
    return true;
  return /^[0-9a-f]{32}$/i.test(account) && value.includes(Buffer.from(account, 'hex'));
};

const placesOf = (bytes: Buffer, sought: Buffer): number[] => {
  const places: number[] = [];
  for (let at = bytes.indexOf(sought); at !== -1; at = bytes.indexOf(sought, at + sought.length))
    places.push(at);
  return places;
};
