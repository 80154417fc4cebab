/** Xbox gives out ids between these, as 16 decimal digits (tebexio/Tebex-Minecraft#138, GeyserMC/Floodgate). */
const xuid = /^(?:(?:xuid|xbox|xbl|gdk|bedrock)[:_-])?(25(?:3[3-9]|[4-9]\d)\d{12}|2[6-7]\d{14})$/i;

/** The same number as guides for Floodgate have people look it up (cxkes.me/xbox/xuid): `000901F4BF5B7415`. */
const hexadecimal = /^0009[0-9a-f]{12}$/i;

/** The digits of an Xbox user's id as shops write it, bare or with a name of the platform; null for anything else. */
export const readXuid = (text: string): string | null =>
  hexadecimal.test(text) ? String(BigInt(`0x${text}`)) : (xuid.exec(text)?.[1] ?? null);

/** The UUID under which Floodgate lets a Bedrock player in: the XUID as its lower half. */
export const floodgateUuid = (digits: string): string => {
  const hex = BigInt(digits).toString(16).padStart(16, '0');
  return `00000000-0000-0000-${hex.slice(0, 4)}-${hex.slice(4)}`;
};

/** The UUID in the platform id of a player whom Floodgate let in; null for all others. */
export const floodgateUuidIn = (platformId: string | undefined): string | null =>
  /^minecraft:(00000000-0000-0000-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(platformId ?? '')?.[1] ?? null;
