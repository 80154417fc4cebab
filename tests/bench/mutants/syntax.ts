export interface AstNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

export const childrenOf = (node: AstNode): readonly AstNode[] => Object.values(node).flat().filter(isNode);

export const isFunction = ({ type }: AstNode): boolean => /Function/.test(type);

export const languageOf = (file: string): 'ts' | 'tsx' => (file.endsWith('x') ? 'tsx' : 'ts');
