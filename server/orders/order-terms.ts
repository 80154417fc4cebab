import type { OrderRefusalWhy, OrderRequest } from '#contracts/orders.ts';
import type { ProblemCode } from '#contracts/problems.ts';
import type { SoldProduct } from '../store-terms/sold-product.ts';

/** A line of an order that is being placed. */
export interface WantedLine {
  readonly product: SoldProduct;
  readonly quantity: number;
  readonly unitPrice: number;
}

export interface OrderRefusal {
  /** Null if it concerns the whole order. */
  readonly productId: string | null;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly why: OrderRefusalWhy;
}

/** The receiver: another member for a gift. */
export const receiverOf = ({ memberId, receiverId = memberId }: OrderRequest): string => receiverId;

export const totalOf = (lines: readonly WantedLine[]): number =>
  lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);

/** Whether stock or purchases are counted, so that only one order at a time may read and write them. */
export const isCounted = ({ limits, stock }: SoldProduct): boolean =>
  stock !== null ||
  limits.perMember !== undefined ||
  limits.perPeriod !== undefined ||
  limits.cooldownSeconds !== undefined;
