import * as z from 'zod';

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
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  });
