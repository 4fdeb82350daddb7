import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { usePort } from './port';

/** Called before something is unfolded or folded by hand: the log then stays where it is. */
export const HoldContext = createContext<() => void>(() => undefined);

/** Whether something is unfolded, kept over reloads under its key. */
export function useFold(key: string): readonly [boolean, (open: boolean) => void] {
  const { memory } = usePort();
  const hold = useContext(HoldContext);
  const [open, setOpen] = useState(() => memory.isUnfolded(key));
  return [
    open,
    (next) => {
      hold();
      memory.setUnfolded(key, next);
      setOpen(next);
    },
  ];
}
