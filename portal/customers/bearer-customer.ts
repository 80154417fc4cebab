import type { Request } from 'express';
import { Problem } from '#runtime/problem.ts';
import type { Customer, CustomerSessions } from './customer-sessions.ts';

/**
 * The customer whose bearer token a program sends. Browser sessions are not valid here, nor are programs' tokens in a
 * browser. @throws {Problem}
 */
export const bearerCustomer = async (sessions: CustomerSessions, request: Request): Promise<Customer> => {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  const customer = await sessions.find(token, 'program');
  if (customer) return customer;
  throw new Problem('UNAUTHENTICATED', {
    detail: 'Sign in with an e-mail address and a code.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
};
