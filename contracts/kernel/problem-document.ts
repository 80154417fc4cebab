import * as z from 'zod';

/** A word of one field is also in another field; the fault's whole text is that word. */
export const wordTaken = 'WORD_TAKEN';

const fieldFault = z.object({
  path: z.string(),
  message: z.string(),
  /** Set if clients can phrase it in the reader's language: its code, and the values that it names. */
  code: z.string().optional(),
  values: z.array(z.string()).optional(),
});

/** The shape of a problem document, separate from the registry of codes with its long texts. */
export const problemDocumentWith = <Code extends z.ZodType>(code: Code) =>
  z.looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    /** The request id, as in the log. */
    instance: z.string().optional(),
    code: code.optional(),
    errors: z.array(fieldFault).optional(),
  });
