import { useRef, useState } from 'react';
import { ApiProblem } from './api-problem.ts';

/**
 * Sends a request that must not be carried out twice: a second click sends nothing, and if the answer was lost, the same
 * request is sent again with the same key.
 */
export const useSending = <Body>(
  send: (body: Body, options: { readonly idempotencyKey: string }) => Promise<unknown>,
) => {
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isSending = useRef(false);
  const unanswered = useRef<{ readonly text: string; readonly key: string } | null>(null);
  /** @returns whether it was accepted */
  const begin = async (body: Body): Promise<boolean> => {
    if (isSending.current) return false;
    isSending.current = true;
    setIsRunning(true);
    setError(null);
    const text = JSON.stringify(body);
    if (unanswered.current?.text !== text) unanswered.current = { text, key: crypto.randomUUID() };
    try {
      await send(body, { idempotencyKey: unanswered.current.key });
      unanswered.current = null;
      return true;
    } catch (failure) {
      if (failure instanceof ApiProblem) unanswered.current = null;
      setError(failure);
      return false;
    } finally {
      isSending.current = false;
      setIsRunning(false);
    }
  };
  return { begin, isRunning, error };
};
