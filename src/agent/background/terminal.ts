import type { Core } from '#agent/core';
import { t } from '#base/l10n';
import type { TerminalView } from '#host/terminals';
import type { Kept } from './kept';
import { keyboardNotice, terminalName, terminalNotice } from './terminal-words';

/** Lists a command's terminal, where the host has any; `onClosed`: the person closed it. */
export function openTerminal(
  { command, request }: Kept,
  { host, redactor, changed }: Pick<Core, 'host' | 'redactor' | 'changed'>,
  onClosed: () => void,
): TerminalView | undefined {
  const view = host.terminals?.add({
    name: terminalName(redactor.value(request.description) || redactor.value(request.command)),
    ...(command.hasTerminal ? { size: command.size } : {}),
    onInput: (text) => {
      const before = command.keyboard;
      if (command.typeAsPerson(text)) {
        if (before === 'person') return;
        view?.keepTo(undefined);
        view?.write(keyboardNotice());
        changed();
      } else if (command.end) view?.dispose();
      else
        view?.write(
          terminalNotice(t('read-only: it was started without a PTY. Close the terminal to end it')),
        );
    },
    onResized: (size) => {
      if (command.keyboard === 'person') command.resize(size);
    },
    onClosed,
  });
  if (view) command.onDrawn((text) => view.write(text));
  return view;
}
