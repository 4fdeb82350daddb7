import * as z from 'zod';

// Compiled validators need eval, which the page's policy forbids, and even trying is reported as a violation.
// This stands in a module of its own, because it must come before the first schema is made.
z.config({ jitless: true });
