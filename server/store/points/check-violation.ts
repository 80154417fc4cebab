/** Whether a check constraint of this name forbade what was written. */
export const breaksCheck = (error: unknown, check: string): boolean => {
  const { code, constraint } = (error ?? {}) as { readonly code?: unknown; readonly constraint?: unknown };
  return code === '23514' && constraint === check;
};

/** Whether an entry of the ledger was refused because a wallet holds too little. */
export const isOverdrawn = (error: unknown): boolean => breaksCheck(error, 'wallets_balance');
