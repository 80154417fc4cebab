import type * as z from 'zod';

/** A request that a page of the desktop can make to the desktop. */
export interface DesktopCall {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

export const desktopCall = <const Input extends z.ZodType, const Output extends z.ZodType>(
  input: Input,
  output: Output,
) => ({ input, output });
