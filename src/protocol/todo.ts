import * as z from 'zod';

/** One thing to do, as the model keeps it. */
export const todoSchema = z.object({
  content: z.string().min(1).max(500).describe('What is to be done, imperative: "Run the parser tests"'),
  activeForm: z.string().min(1).max(500).describe('The same while it happens: "Running the parser tests"'),
  status: z.enum(['pending', 'in_progress', 'completed']),
});
export type Todo = Readonly<z.infer<typeof todoSchema>>;
