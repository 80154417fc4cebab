import { minorDigitsOf } from '#contracts/currency.ts';
import type { Language } from '#contracts/language.ts';

/** `€49.00`, `¥4,900`: exact, with the digits that ISO 4217 defines for the currency. */
export const formatMoney = (minor: bigint, currency: string, language: Language): string => {
  const digits = minorDigitsOf(currency);
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  const [whole, part] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  const decimal = `${minor < 0n ? '-' : ''}${whole}${part && `.${part}`}`;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(decimal as Intl.StringNumericLiteral);
};

/** In units of the currency, for drawing. */
export const drawnMoney = (minor: bigint, currency: string): number =>
  Number(minor) / 10 ** minorDigitsOf(currency);
