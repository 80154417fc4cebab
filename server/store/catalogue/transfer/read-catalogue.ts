import type * as z from 'zod';
import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import { valueFaultOf } from '#contracts/kernel/value-faults.ts';
import {
  type CatalogueFault,
  catalogueFormat,
  catalogueVersion,
  mostImportedProducts,
  mostToldFaults,
  type TransferredProduct,
  transferredProduct,
} from '#contracts/store/catalogue-transfer.ts';
import { decodeText, isTextFault } from '#runtime/decode-text.ts';
import { findJsonFault, type JsonPath, lineAt, linesOf } from './json-places.ts';

/** A fault before its line is known. */
export interface PlacedFault {
  readonly path: JsonPath;
  readonly message: string;
}

interface CatalogueFaults {
  readonly faults: CatalogueFault[];
  readonly faultsTotal: number;
}

/** A file in which every product has the right shape. */
interface CatalogueFile {
  readonly text: string;
  readonly products: readonly TransferredProduct[];
}

export const readCatalogue = (bytes: Uint8Array): CatalogueFile | CatalogueFaults => {
  // Windows' editors and PowerShell also save as UTF-16.
  const read = decodeText(Buffer.from(bytes));
  if (isTextFault(read)) return oneFault(read.line, reasons['import-not-text']);
  const text = read.text.replace(/^\uFEFF/, '');
  const broken = findJsonFault(text);
  if (broken) return oneFault(lineAt(text, broken.offset), broken.message);
  const file: unknown = JSON.parse(text);
  const fault = findFileFault(file);
  if (fault) return faultsIn(text, [fault]);
  const entries = (file as { readonly products: readonly unknown[] }).products;
  const faults: PlacedFault[] = [];
  const products: TransferredProduct[] = [];
  for (const [place, entry] of entries.entries()) {
    const read = transferredProduct.safeParse(entry);
    if (read.success) products.push(read.data);
    else faults.push(...read.error.issues.flatMap((issue) => faultsOf(issue, ['products', place])));
  }
  return faults.length > 0 ? faultsIn(text, faults) : { text, products };
};

/** The first {@link mostToldFaults} with their lines. */
export const faultsIn = (text: string, faults: readonly PlacedFault[]): CatalogueFaults => {
  const told = faults.slice(0, mostToldFaults);
  const lines = linesOf(
    text,
    told.map(({ path }) => path),
  );
  return {
    faults: told.map(({ path, message }, index) => faultAt(lines[index] ?? 1, message, path)),
    faultsTotal: faults.length,
  };
};

const faultAt = (line: number, message: string, path: JsonPath = []): CatalogueFault => ({
  line,
  path: path.join('.'),
  message,
  reason: reasonOf(message),
});

const oneFault = (line: number, message: string): CatalogueFaults => ({
  faults: [faultAt(line, message)],
  faultsTotal: 1,
});

/** Checked before products: another version's contents mean nothing to this one. */
const findFileFault = (file: unknown): PlacedFault | null => {
  const isObject = typeof file === 'object' && file !== null && !Array.isArray(file);
  const { format, version, products, ...others } = (isObject ? file : {}) as Record<string, unknown>;
  if (format !== catalogueFormat)
    return { path: ['format'], message: reasons['import-format'](catalogueFormat) };
  if (version !== catalogueVersion)
    return { path: ['version'], message: reasons['import-version'](catalogueVersion) };
  const [other] = Object.keys(others);
  if (other !== undefined) return { path: [other], message: reasons['import-field-unknown'] };
  if (!Array.isArray(products)) return { path: ['products'], message: reasons['import-list'] };
  if (products.length > mostImportedProducts)
    return {
      path: ['products'],
      message: reasons['import-too-many'](products.length, mostImportedProducts),
    };
  return null;
};

const faultsOf = (issue: z.core.$ZodIssue, before: JsonPath): readonly PlacedFault[] => {
  const path = [...before, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: [...path, key], message: reasons['import-field-unknown'] }))
    : [{ path, message: reasons['import-value'](valueFaultOf(issue).message) }];
};
