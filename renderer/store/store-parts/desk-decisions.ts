import { type Delivery, type DeskDecisionName, deskDecisions } from '#contracts/store/deliveries.ts';

type Facts = Pick<Delivery, 'refundedAt' | 'deskReason'>;

/** Omits what the API would refuse: a refunded delivery is neither sent nor refunded again. */
export const fitsDecision = (decision: DeskDecisionName, { refundedAt, deskReason }: Facts): boolean => {
  if (deskReason === null) return false;
  switch (decision) {
    case 'delivered':
      return true;
    case 'send-again':
    case 'refund':
      return refundedAt === null;
    case 'charge-again':
      return refundedAt !== null && deskReason === 'late-result';
  }
};

export const decisionsFor = (delivery: Facts): readonly DeskDecisionName[] =>
  deskDecisions.filter((decision) => fitsDecision(decision, delivery));
