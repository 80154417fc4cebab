import * as z from 'zod';

/** The word of one field stands in another one, too, whose whole text is the value. */
export const wordTaken = 'WORD_TAKEN';

const fieldFault = z.object({
  path: z.string(),
  message: z.string(),
  /** Where clients can word it in their reader's language: its code, and what it names. */
  code: z.string().optional(),
  values: z.array(z.string()).optional(),
});

/** The shape of a problem document, apart from the registry of codes, which holds long texts. */
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
