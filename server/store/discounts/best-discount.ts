import type { DiscountOff } from '#contracts/store/discounts.ts';
import type { DiscountCodeFault } from '#contracts/store/orders.ts';

export interface QuotedLine {
  readonly productId: string;
  readonly category: string;
  readonly quantity: number;
  /** For one piece, without a discount. */
  readonly price: number;
}

/** What decides whether a discount applies, and what it takes off. */
export interface DiscountTerms {
  readonly id: string;
  readonly name: string;
  readonly off: DiscountOff;
  /** Together with `categories`: both empty: every product. */
  readonly productIds: readonly string[];
  readonly categories: readonly string[];
  /** Empty: everyone. */
  readonly roleIds: readonly string[];
  readonly hasCode: boolean;
  readonly mostUses: number | null;
  readonly mostPerMember: number | null;
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
  readonly isEnabled: boolean;
}

/** Each is counted only up to its limit. */
export interface DiscountUses {
  /** Orders of all members. */
  readonly all: number;
  readonly ofPayer: number;
}

/** The price of one piece with the discount: whole, at least 0, and never more than without it. */
export const discounted = (price: number, off: DiscountOff): number => {
  if (off.kind === 'points') return Math.max(0, price - off.points);
  const left = Math.floor((price * (100 - off.percent)) / 100);
  // Rounding alone makes nothing free.
  return off.percent < 100 && price > 0 ? Math.max(1, left) : left;
};

const isFor = ({ productIds, categories }: DiscountTerms, { productId, category }: QuotedLine): boolean =>
  (productIds.length === 0 && categories.length === 0) ||
  productIds.includes(productId) ||
  (category !== '' && categories.includes(category));

export const unitPricesWith = (
  discount: DiscountTerms | null,
  lines: readonly QuotedLine[],
): readonly number[] =>
  lines.map((line) =>
    discount && isFor(discount, line) ? discounted(line.price, discount.off) : line.price,
  );

/** Why this discount does not apply, regardless of how often it was used; null: it does. */
export const findUnfit = (
  discount: DiscountTerms,
  {
    lines,
    roleIds,
    now,
  }: { readonly lines: readonly QuotedLine[]; readonly roleIds: readonly string[]; readonly now: Date },
): DiscountCodeFault | null => {
  if (!discount.isEnabled) return 'unknown';
  if (discount.validFrom && now < discount.validFrom) return 'not-yet';
  if (discount.validUntil && now >= discount.validUntil) return 'ended';
  if (discount.roleIds.length > 0 && !discount.roleIds.some((id) => roleIds.includes(id))) return 'role';
  return lines.some((line) => isFor(discount, line)) ? null : 'products';
};

export const findUsedUp = (
  { mostUses, mostPerMember }: DiscountTerms,
  uses: DiscountUses,
): DiscountCodeFault | null => {
  if (mostUses !== null && uses.all >= mostUses) return 'used-up';
  return mostPerMember !== null && uses.ofPayer >= mostPerMember ? 'used' : null;
};

const totalWith = (discount: DiscountTerms, lines: readonly QuotedLine[]): number =>
  unitPricesWith(discount, lines).reduce(
    (sum, price, index) => sum + price * (lines[index]?.quantity ?? 0),
    0,
  );

/** The one that makes the order cheapest; of equals, one without a code, then the first. Null: none makes it cheaper. */
export const bestOf = (
  discounts: readonly DiscountTerms[],
  lines: readonly QuotedLine[],
): DiscountTerms | null => {
  const full = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const [best] = discounts
    .map((discount) => ({ discount, total: totalWith(discount, lines) }))
    .filter(({ total }) => total < full)
    .toSorted(
      (one, other) =>
        one.total - other.total || Number(one.discount.hasCode) - Number(other.discount.hasCode),
    );
  return best?.discount ?? null;
};
