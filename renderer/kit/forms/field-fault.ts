import type { FieldShape, TextLimits } from './field-shape.ts';

/** Why a value would be refused. */
export type FieldFault =
  | { readonly kind: 'missing' | 'form' | 'address' | 'number' | 'whole' }
  | { readonly kind: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge' | 'tooFew' | 'tooMany'; limit: number }
  | { readonly kind: 'item'; readonly item: string; readonly fault: FieldFault };

/** Why the API has refused a value. */
export interface FieldRefusal {
  readonly message: string;
  /** Set if this panel has its own words for it. */
  readonly code?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

/** The typed value in the API's form: an empty input is null if the field may be empty. */
export const sentValue = (shape: FieldShape, typed: unknown): unknown => {
  const isNothing = typed === '' || typed === undefined;
  return shape.isNullable && isNothing ? null : typed;
};

const textFault = (limits: TextLimits, text: string): FieldFault | null => {
  const { minLength, maxLength, pattern, isAddress } = limits;
  if (text === '' && minLength > 0) return { kind: 'missing' };
  // Counts like JSON Schema.
  const { length } = [...text];
  if (length < minLength) return { kind: 'tooShort', limit: minLength };
  if (length > maxLength) return { kind: 'tooLong', limit: maxLength };
  if (pattern && !pattern.test(text)) return { kind: 'form' };
  return isAddress && !URL.canParse(text) ? { kind: 'address' } : null;
};

/** The first fault of a value in the form that would be sent; null if only the API could find one. */
export const fieldFault = (shape: FieldShape, value: unknown): FieldFault | null => {
  if (value === null) return shape.isNullable ? null : { kind: 'missing' };
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? textFault(shape, value) : { kind: 'missing' };
    case 'number':
      if (value === '') return { kind: 'missing' };
      if (typeof value !== 'number' || !Number.isFinite(value)) return { kind: 'number' };
      if (shape.isWhole && !Number.isInteger(value)) return { kind: 'whole' };
      if (value < shape.min) return { kind: 'tooSmall', limit: shape.min };
      return value > shape.max ? { kind: 'tooLarge', limit: shape.max } : null;
    case 'choice':
      return shape.options.some((option) => option === value) ? null : { kind: 'missing' };
    case 'texts': {
      if (!Array.isArray(value)) return { kind: 'missing' };
      if (value.length < shape.minItems) return { kind: 'tooFew', limit: shape.minItems };
      if (value.length > shape.maxItems) return { kind: 'tooMany', limit: shape.maxItems };
      for (const item of value.map(String)) {
        const fault = textFault(shape.item, item);
        if (fault) return { kind: 'item', item, fault };
      }
      return null;
    }
    default:
      return null;
  }
};
