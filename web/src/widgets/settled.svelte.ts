/** A value that follows another one when that has rested: for answers that need not follow each motion. */

export function settled<Value>(of: () => Value, rest_ms: number): { readonly value: Value } {
  const first = of();
  let value = $state.raw(first);
  let key = JSON.stringify(first);
  $effect(() => {
    const next = of();
    const timer = setTimeout(() => {
      const nextKey = JSON.stringify(next);
      if (nextKey === key) return; // the same question in a new object
      key = nextKey;
      value = next;
    }, rest_ms);
    return () => clearTimeout(timer);
  });
  return {
    get value() {
      return value;
    },
  };
}
