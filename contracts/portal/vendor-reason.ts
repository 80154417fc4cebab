/** Separates the meaning of a refusal from what the vendor told the customer about it. */
const lead = ' The vendor says: ';

/** The detail of a refusal with the vendor's reason. @param meaning a sentence of Castellan's own */
export const withVendorReason = (meaning: string, reason: string): string => `${meaning}${lead}${reason}`;

/** What the vendor told the customer; null if the detail contains nothing from the vendor. */
export const vendorReasonOf = (detail: string): string | null => {
  const at = detail.indexOf(lead);
  return at < 0 ? null : detail.slice(at + lead.length);
};
