import { known, type Stage } from '#gates/context';
import { refusal } from '#gates/refusal';

/** Is what was asked for acceptable: a path inside the workspace, a file that was read before? */
export const validate: Stage = {
  name: 'validate',
  async judge(draft, { ports }) {
    const tool = known(draft.tool, 'the tool');
    const input = known(draft.input, 'the input');
    const problem = await tool.validate?.(input.value, ports);
    if (problem === undefined) return { kind: 'pass', why: '' };
    const words = problem.startsWith(`${tool.name}:`) ? problem : `${tool.name}: ${problem}`;
    return { kind: 'stop', why: problem, result: refusal('rejected_arguments', words) };
  },
};
