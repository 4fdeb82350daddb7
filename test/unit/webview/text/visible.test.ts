import { expect, test } from 'vitest';
import { visible } from '#webview/text/visible';

test('what would act or hide is shown as an escape', () => {
  expect(visible('a\u202eb\u0000\u001b[31m\u200b\u2066\ufeff\r\u{e0041}')).toBe(
    'a\\u{202e}b\\u{0}\\u{1b}[31m\\u{200b}\\u{2066}\\u{feff}\\u{d}\\u{e0041}',
  );
});

test('what scripts and emoji need stays, and so do tab and line feed', () => {
  const text = 'a\tb\nשלום سلام\u200dनमस्ते\u200c 👩‍👩‍👧 ❤️ 全角\u3000\u00a0e\u0301';
  expect(visible(text)).toBe(text);
});
